/** What a task gives, unless it takes longer: a file of the kit may be under way for ever. */
export function inTime<T>(task: Promise<T>, ms: number, late: unknown): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late), ms);
  });
  return Promise.race([task, deadline]).finally(() => clearTimeout(timer));
}
