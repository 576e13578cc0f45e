/** Orders 1: nested fields use brackets (`Transaction[startDate]`), a list repeats `field[]`. */
export function encodeForm(input: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) append(form, name, value);
  return form;
}

function append(form: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (Array.isArray(value)) for (const item of value) append(form, `${name}[]`, item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) append(form, `${name}[${key}]`, item);
  } else form.append(name, String(value));
}
