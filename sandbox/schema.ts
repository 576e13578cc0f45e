/** Everything the sandbox keeps. Times that the platform shows are local-time text, which sorts by time. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS clock (
    advanced_ms INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY,
    expires_at_ms INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS orders (
    order_code TEXT PRIMARY KEY,
    service_code TEXT NOT NULL,
    order_ref TEXT NOT NULL,
    amount_kurus INTEGER NOT NULL,
    payout TEXT,
    sub_merchant_id TEXT,
    fee_kurus INTEGER,
    user_id TEXT,
    created_at TEXT NOT NULL,
    completed_at TEXT,
    UNIQUE (service_code, order_ref)
  );
  CREATE TABLE IF NOT EXISTS transactions (
    id INTEGER PRIMARY KEY,
    service_code TEXT NOT NULL,
    order_code TEXT,
    bank_id INTEGER NOT NULL,
    amount_kurus INTEGER NOT NULL,
    sender TEXT,
    description TEXT NOT NULL,
    transaction_date TEXT NOT NULL,
    create_time TEXT NOT NULL,
    status INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS transactions_by_date ON transactions (service_code, transaction_date);
  CREATE INDEX IF NOT EXISTS transactions_by_order ON transactions (order_code);
  CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    at TEXT NOT NULL,
    params TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS faults (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL,
    fault TEXT NOT NULL,
    rate REAL NOT NULL,
    times_left INTEGER
  );
  CREATE TABLE IF NOT EXISTS levers (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    content TEXT NOT NULL,
    at TEXT NOT NULL,
    http_status INTEGER,
    answer TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS shopper_details (
    order_code TEXT PRIMARY KEY,
    details TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS notices (
    id INTEGER PRIMARY KEY,
    service_code TEXT NOT NULL,
    order_ref TEXT NOT NULL,
    bank_id INTEGER NOT NULL,
    amount_kurus INTEGER NOT NULL,
    details TEXT NOT NULL,
    transaction_id INTEGER,
    create_time TEXT NOT NULL,
    status INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS refunds (
    id INTEGER PRIMARY KEY,
    order_code TEXT NOT NULL,
    transaction_id INTEGER NOT NULL,
    amount_kurus INTEGER NOT NULL,
    contact_name TEXT NOT NULL,
    contact_iban TEXT NOT NULL,
    create_time TEXT NOT NULL,
    update_time TEXT,
    refund_time TEXT,
    bank_id INTEGER,
    bank_receipt_no TEXT,
    status INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS refunds_by_order ON refunds (order_code);
  CREATE TABLE IF NOT EXISTS vendors (
    vendor_code TEXT PRIMARY KEY,
    form_code TEXT NOT NULL UNIQUE,
    service_code TEXT NOT NULL,
    details TEXT NOT NULL,
    success_url TEXT NOT NULL,
    failure_url TEXT NOT NULL,
    state TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS subscriptions (
    id INTEGER PRIMARY KEY,
    first_id INTEGER NOT NULL,
    service_id INTEGER NOT NULL,
    product_id INTEGER,
    msisdn TEXT NOT NULL,
    operator INTEGER NOT NULL,
    status TEXT NOT NULL,
    item TEXT NOT NULL,
    fee_kurus INTEGER NOT NULL,
    period TEXT NOT NULL,
    trial_days INTEGER NOT NULL,
    reference_code TEXT,
    subscribed_at TEXT NOT NULL,
    renews_at TEXT NOT NULL,
    cancelled_at TEXT,
    cancellation_source TEXT,
    modified_at TEXT NOT NULL,
    due_at TEXT,
    failures INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS subscriptions_by_number ON subscriptions (msisdn);
  CREATE INDEX IF NOT EXISTS subscriptions_by_first ON subscriptions (first_id);
  CREATE TABLE IF NOT EXISTS charges (
    id INTEGER PRIMARY KEY,
    subscription_id INTEGER NOT NULL,
    service_id INTEGER NOT NULL,
    status INTEGER NOT NULL,
    msisdn TEXT NOT NULL,
    operator INTEGER NOT NULL,
    item TEXT NOT NULL,
    amount_kurus INTEGER NOT NULL,
    reference_code TEXT,
    charged_at TEXT NOT NULL,
    refunded_at TEXT,
    modified_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS charges_by_subscription ON charges (subscription_id);
  CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY,
    service_id INTEGER NOT NULL,
    msisdn TEXT NOT NULL,
    operator INTEGER NOT NULL,
    message TEXT NOT NULL,
    sent_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS messages_by_number ON messages (msisdn);
  CREATE TABLE IF NOT EXISTS pins (
    purpose TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    operator INTEGER NOT NULL,
    pin TEXT NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    PRIMARY KEY (purpose, msisdn, operator)
  );
  CREATE TABLE IF NOT EXISTS number_tokens (
    token TEXT PRIMARY KEY,
    msisdn TEXT NOT NULL,
    operator INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS usage (
    operation TEXT NOT NULL,
    span TEXT NOT NULL,
    window TEXT NOT NULL,
    used INTEGER NOT NULL,
    PRIMARY KEY (operation, span)
  );
  CREATE TABLE IF NOT EXISTS activities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    activity TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS payment_pages (
    token TEXT PRIMARY KEY,
    service_id INTEGER NOT NULL,
    reference_code TEXT NOT NULL,
    item TEXT NOT NULL,
    price_kurus INTEGER NOT NULL,
    success_url TEXT NOT NULL,
    failure_url TEXT NOT NULL,
    trial_days INTEGER,
    expires_at_ms INTEGER NOT NULL,
    progress TEXT NOT NULL
  );
`;

const TABLES = Array.from(SCHEMA.matchAll(/TABLE IF NOT EXISTS (\w+)/g), ([, table]) => table);

export function createTables(sql: SqlStorage): void {
  sql.exec(SCHEMA);
}

/** Forgets everything, as on the first start. */
export function clearTables(sql: SqlStorage): void {
  for (const table of TABLES) sql.exec(`DELETE FROM ${table}`);
}
