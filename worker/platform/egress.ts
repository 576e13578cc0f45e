/** How calls leave the Worker. `direct` goes straight out: for platforms that do not ask for a fixed address. */
export const directEgress: typeof fetch = (input, init) => fetch(input, init);
