import type {Context} from './context.ts';
import type {Parameters} from './request.ts';

/** One request to the platform, its parameters read. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  /** The sandbox's own origin, as the caller wrote it. */
  readonly origin: string;
  readonly headers: Headers;
  /** Query and form. */
  readonly parameters: Parameters;
  /** The text of a JSON body; undefined where the body is something else. */
  readonly json: string | undefined;
}

/** The fields that an operation adds to its interface's own when it succeeds. */
export type Answer = Readonly<Record<string, unknown>>;

/** One of the platform's base addresses: what it knows and how it answers. */
export interface Base {
  /** The operation a path belongs to, named by its path up to the ids in it; undefined where there is none. */
  operationOf(path: string): string | undefined;
  /** True for what people look at: no call of the merchant's, hence not recorded as one. */
  isPage?(path: string): boolean;
  answer(request: Visit, context: Context): Promise<Response>;
  /** An error body with a status of the base's interface, or with one that nobody knows. */
  refuse(status: string, context: Context): Response;
}
