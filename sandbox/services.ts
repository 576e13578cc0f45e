export interface Service {
  readonly id: number;
  /** What a merchant sends as `code` (orders 2.2). */
  readonly code: string;
  readonly name: string;
}

export const MERCHANT_NAME = 'Örnek Mağaza';

const SERVICES: readonly [Service, ...Service[]] = [{id: 1, code: 'DEMO', name: 'Örnek Hizmet'}];

/** Whose account a transfer reaches when nothing in it names an order. */
export const DEFAULT_SERVICE = SERVICES[0];

export function findServiceById(id: number): Service | undefined {
  return SERVICES.find((service) => service.id === id);
}

export function findService(code: string): Service | undefined {
  return SERVICES.find((service) => service.code === code);
}
