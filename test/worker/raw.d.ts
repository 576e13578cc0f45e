declare module '*?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** The default exports of the files that match, by path. */
  glob<T>(pattern: string, options: {eager: true; import: 'default'}): Record<string, T>;
  /** Functions that import the files that match, by path. */
  glob(pattern: string): Record<string, () => Promise<unknown>>;
}
