/** The secret that the relays and Workers of these tests share. */
export const SECRET = 'hush-relay-secret-of-this-very-test-0001';
