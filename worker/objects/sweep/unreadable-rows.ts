import {log} from '../../lib/log.ts';
import type {OperationName} from '../../platform/operations/index.ts';

/** A row that cannot be read stays on a list for days, and the list is read every few seconds. */
const TOLD_EVERY_MS = 60 * 60_000;

/** Says of a service's list that some of it cannot be read, now and then. */
export class UnreadableRows {
  #toldAt = -Infinity;

  constructor(private readonly operation: OperationName) {}

  note(service: string, rows: number, now: number): void {
    if (rows === 0 || now - this.#toldAt < TOLD_EVERY_MS) return;
    this.#toldAt = now;
    log('error', 'rows_unreadable', {operation: this.operation, service, rows});
  }
}
