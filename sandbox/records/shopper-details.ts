/** What a shopper says about a payment: the block `PaymentNotification` (orders 2.4), empty where nothing was said. */
export interface ShopperDetails {
  readonly tc_no: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly user_ip: string;
  /** `YYYY-MM-DD HH:MM:SS`. */
  readonly apply_time: string;
  readonly description: string;
}

/** The details that came with an order code made for the hosted bank page. */
export class ShopperDetailsOfOrders {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS shopper_details (
      order_code TEXT PRIMARY KEY,
      details TEXT NOT NULL
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  find(orderCode: string): ShopperDetails | undefined {
    const [row] = this.sql
      .exec<{details: string}>('SELECT details FROM shopper_details WHERE order_code = ?', orderCode)
      .toArray();
    return row && JSON.parse(row.details);
  }

  keep(orderCode: string, details: ShopperDetails): void {
    this.sql.exec(
      'INSERT INTO shopper_details (order_code, details) VALUES (?, ?)',
      orderCode,
      JSON.stringify(details),
    );
  }
}
