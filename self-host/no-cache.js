// @ts-check
// What stands behind `caches.default` on a host of one's own: nothing is kept, so nothing is found.
export default {
  /** @param {Request} request */
  fetch: ({method}) => new Response(null, {status: method === 'PUT' ? 204 : 504}),
};
