import {replace, select, update} from './sql.ts';

/** A vendor: a sub-merchant that the marketplace has invited to register (orders.md 4.6). */
export interface Vendor {
  readonly vendorCode: string;
  /** The last part of the form's URL. */
  readonly formCode: string;
  readonly serviceCode: string;
  readonly details: VendorDetails;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly state: VendorState;
}

export interface VendorDetails {
  readonly name: string;
  readonly tc_no: string;
  readonly phone: string;
  readonly email: string;
  readonly iban: string;
}

export type VendorState = 'invited' | 'registered' | 'declined';

export class Vendors {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS vendors (
      vendor_code TEXT PRIMARY KEY,
      form_code TEXT NOT NULL UNIQUE,
      service_code TEXT NOT NULL,
      details TEXT NOT NULL,
      success_url TEXT NOT NULL,
      failure_url TEXT NOT NULL,
      state TEXT NOT NULL
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  find(vendorCode: string): Vendor | undefined {
    return this.#select('WHERE vendor_code = ?', vendorCode)[0];
  }

  findByForm(formCode: string): Vendor | undefined {
    return this.#select('WHERE form_code = ?', formCode)[0];
  }

  /** Returns vendors, newest first. */
  recent(limit: number): Vendor[] {
    return this.#select('ORDER BY rowid DESC LIMIT ?', limit);
  }

  /** Saves a vendor as invited and returns the form's code. An earlier form of the same vendor becomes invalid. */
  invite({vendorCode, serviceCode, details, successUrl, failureUrl}: Omit<Vendor, 'formCode' | 'state'>): string {
    const formCode = crypto.randomUUID();
    const urls = {successUrl, failureUrl};
    replace(this.sql, 'vendors', {vendorCode, formCode, serviceCode, details, ...urls, state: 'invited'});
    return formCode;
  }

  setState({vendorCode}: Vendor, state: VendorState, details: VendorDetails): void {
    update(this.sql, 'vendors', {vendorCode}, {state, details});
  }

  #select(clause: string, ...bindings: (string | number)[]): Vendor[] {
    const rows = select<Vendor & {details: string}>(this.sql, `SELECT * FROM vendors ${clause}`, ...bindings);
    return rows.map((row) => Object.assign(row, {details: JSON.parse(row.details)}));
  }
}
