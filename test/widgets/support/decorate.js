/** What the compiler calls for decorators of fields. */
export default function decorate(decorators, target, key) {
  for (const one of decorators) one(target, key);
}
