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

/** The API description, as the build makes it (`apiDescription` in `scripts/build/assets.ts`). */
declare module 'virtual:openapi' {
  interface Response {
    readonly $ref?: string;
    readonly description?: string;
  }
  const description: {
    readonly paths: Readonly<
      Record<
        string,
        Record<string, {readonly operationId: string; readonly responses: Readonly<Record<string, Response>>}>
      >
    >;
    readonly components: {readonly responses: Readonly<Record<string, Response>>};
  };
  export default description;
}
