/** True for an absolute address that a browser may be sent to: http or https, never `javascript:`. */
export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
