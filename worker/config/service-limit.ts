/** Services to which an API key or a webhook is limited, so that two shops can share a Worker. */

import type {Config} from './config.ts';

/** Codes of services; null for no limit. */
export type ServiceLimit = readonly string[] | null;

/** What an event, a webhook or an answer may name: a service, or all services to which it is limited. */
interface Subject {
  readonly service?: unknown;
  readonly services?: unknown;
}

/** Whether something is about services within the limit only. What names no service is within no limit but null. */
export function isWithin(limit: ServiceLimit, subject: object): boolean {
  if (limit === null) return true;
  const {service, services} = subject as Subject;
  const named: readonly unknown[] = Array.isArray(services) ? services : [service];
  return named.length > 0 && named.every((one) => limit.includes(one as string));
}

/**
 * The configuration of a caller with this limit: other services do not exist in it. If several codes share a number in
 * mobile billing, the number belongs to the first of them.
 */
export function limitConfig(config: Config, limit: ServiceLimit): Config {
  if (limit === null) return config;
  const has = (service: string) => limit.includes(service);
  return {
    ...config,
    services: new Map([...config.services].filter(([service]) => has(service))),
    billedServices: new Map([...config.billedServices].filter(([, service]) => has(service))),
  };
}
