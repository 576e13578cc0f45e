/** The parts of Swagger UI that the API page uses. The package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** What a layout gets. */
  interface Properties {
    readonly [name: string]: unknown;
    /** @param connected Whether the component reads the state itself. */
    getComponent(name: string, connected: boolean): Component;
    readonly specSelectors: {info(): ReadonlyMap<string, unknown>};
  }

  type Component = ((properties: Properties) => unknown) | string;

  interface System {
    readonly React: {
      createElement(type: Component, properties: object | null, ...children: readonly unknown[]): unknown;
    };
  }

  export type Plugin = (system: System) => {
    readonly components: Readonly<Record<string, Component>>;
    /** Replaces components, by name. Each function gets the component that it replaces. */
    readonly wrapComponents: Readonly<Record<string, (original: Component) => Component>>;
  };

  export interface Request {
    readonly headers: Record<string, string>;
  }

  export interface Answer {
    readonly url: string;
    readonly status: number;
    readonly text: string;
  }

  interface Options {
    readonly url: string;
    readonly domNode: Element;
    /** Whether the page's URL names the open operation: `#/Refunds/createRefund`. */
    readonly deepLinking: boolean;
    readonly tryItOutEnabled: boolean;
    /** A service that checks the description; null for none. */
    readonly validatorUrl: string | null;
    /** How far the list of all schemas is open; -1 hides the list. */
    readonly defaultModelsExpandDepth: number;
    readonly syntaxHighlight: {readonly theme: string};
    readonly plugins: readonly Plugin[];
    /** The name of the component that shows everything. */
    readonly layout: string;
    requestInterceptor(request: Request): Request;
    /** Also gets the answer with the description. */
    responseInterceptor(answer: Answer): Answer;
    onComplete(): void;
  }

  interface SwaggerUI {
    /** Uses a key or token for every operation with this security scheme. */
    preauthorizeApiKey(scheme: string, key: string): void;
  }

  export default function create(options: Options): SwaggerUI;
}
