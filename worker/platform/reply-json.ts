/** The object in a JSON text; null where there is none. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parseExactly(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** JSON whose numbers are kept as text where reading would change their spelling: ids outgrow 2^53, amounts say `140.00`. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: {source: string}) =>
    typeof value === 'number' && context && String(value) !== context.source ? context.source : value,
  );
}
