import {type NextRequest, NextResponse} from 'next/server';

export const config = {matcher: ['/', '/new']};

/** Gives the shopper's cart an order, which stays the same over a reload; `/new` begins the next purchase. */
export function proxy(request: NextRequest) {
  const isNew = request.nextUrl.pathname === '/new';
  const known = /^S-[\da-f-]{36}$/.exec(request.cookies.get('cart')?.value ?? '')?.[0];
  const order = (!isNew && known) || `S-${crypto.randomUUID()}`;
  request.cookies.set('cart', order);
  const response = isNew
    ? NextResponse.redirect(new URL('/', request.url), 303)
    : NextResponse.next({request: {headers: request.headers}});
  response.cookies.set('cart', order, {httpOnly: true, sameSite: 'lax', maxAge: 259_200});
  return response;
}
