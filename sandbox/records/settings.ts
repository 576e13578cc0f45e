import {replace, select} from './sql.ts';

/** Named values that the controls under `/_sandbox/` set. They survive a restart. */
export class Settings {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS levers (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  get(name: string): unknown {
    const [row] = select<{value: string}>(this.sql, 'SELECT value FROM levers WHERE name = ?', name);
    return row && JSON.parse(row.value);
  }

  set(name: string, value: unknown): void {
    replace(this.sql, 'levers', {name, value: JSON.stringify(value)});
  }
}

const ADDRESS_ALLOWED_SETTING = 'merchant-address-allowed';

/**
 * Stores whether the platform accepts calls from the merchant's IP address. The platform accepts these calls until the
 * control `address` forbids them.
 */
export class MerchantAddress {
  constructor(private readonly settings: Settings) {}

  isAllowed(): boolean {
    return this.settings.get(ADDRESS_ALLOWED_SETTING) !== false;
  }

  allow(allowed: boolean): void {
    this.settings.set(ADDRESS_ALLOWED_SETTING, allowed);
  }
}
