import {findService, type Service} from '../config.ts';
import type {Period} from '../records/subscriptions.ts';

/** A product that shoppers subscribe to on a landing page. */
export interface Product {
  readonly id: number;
  readonly service: Service;
  readonly item: string;
  readonly feeKurus: number;
  readonly period: Period;
  /** Free days at the beginning. */
  readonly trialDays: number;
  /** If true, the landing page of the product answers 021 to every request. */
  readonly testMode: boolean;
}

const ROWS = [
  [77, 'DEMO', 'Kulüp üyeliği', 1200, 'weekly', 0, false],
  [78, 'DEMO', 'Denemeli üyelik', 2990, 'monthly', 7, false],
  [79, 'DEMO', 'Hazırlanan üyelik', 1200, 'weekly', 0, true],
] as const;

const PRODUCTS: readonly Product[] = ROWS.flatMap(([id, code, item, feeKurus, period, trialDays, testMode]) => {
  const service = findService(code);
  return service ? [{id, service, item, feeKurus, period, trialDays, testMode}] : [];
});

export function findProduct(id: number): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}
