/** Of the relays and Workers of these tests. */
export const SECRET = 'hush-relay-secret-of-this-very-test-0001';
