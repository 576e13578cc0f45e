/** The token of the header `Authorization: Bearer`; empty if there is none. */
export function bearerToken(request: Request): string {
  return /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
}
