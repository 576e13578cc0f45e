import {describe, expect, test} from 'vitest';
import {findOrderCodes} from '../../sandbox/records/orders.ts';

const CODE = '881200450017';

describe('descriptions that name the order code', () => {
  test.each([
    ['without any other text', '881200450017'],
    ['with spaces around it', '  881200450017\n'],
    ['in groups of four', '8812 0045 0017'],
    ['in groups of three', '881 200 450 017'],
    ['in pairs', '88 12 00 45 00 17'],
    ['digit by digit', '8 8 1 2 0 0 4 5 0 0 1 7'],
    ['with dashes', '8812-0045-0017'],
    ['with a long dash', '8812–0045—0017'],
    ['with minus signs', '8812\u22120045\u22120017'],
    ['with dots', '8812.0045.0017'],
    ['with slashes and commas', '8812/0045, 0017'],
    ['with spaces around dashes', '8812 - 0045 - 0017'],
    ['with non-breaking spaces', '8812\u00A00045\u202F0017'],
    ['with invisible characters of a pasted text', '\u200E8812\u200B0045\u00AD0017'],
    ['in full-width digits', '８８１２００４５００１７'],
    ['across a line break', '881200\n450017'],
    ['in a sentence', 'Merhaba, sipariş kodum 881200450017 teşekkürler'],
    ['in brackets', '(881200450017)'],
    ['after a colon', 'Kod:881200450017'],
    ['after letters', 'KOD881200450017'],
    ['before letters', '881200450017nolu siparis'],
    ["after a bank's own prefix", 'GELEN FAST-AYŞE YILMAZ-881200450017-0046'],
    ['after a phone number', '0532 123 45 67 8812 0045 0017'],
    ['before a phone number', '8812 0045 0017 0532 123 45 67'],
    ['after an amount and a date', '21.11.2026 149,90 TL 881200450017'],
    ['after an IBAN', 'TR330006100519786457841326 881200450017'],
    ['before an IBAN in groups', '881200450017 TR33 0006 1005 1978 6457 8413 26'],
    ['after an IBAN in groups', 'TR33 0006 1005 1978 6457 8413 26 8812 0045 0017'],
    ['two times', '881200450017 / 881200450017'],
  ])('the sandbox finds an order code that is written %s', (_, description) => {
    expect(findOrderCodes(description)).toContain(CODE);
  });
});

describe('descriptions that do not name the order code', () => {
  test.each([
    ['is empty', ''],
    ['has only words', 'kira'],
    ['has one digit too few', '88120045001'],
    ['has an additional digit at the end', '8812004500170'],
    ['has an additional digit at the beginning', '1881200450017'],
    ['has a phone number directly before the code', '05321234567881200450017'],
    ['has a phone number directly after the code', '88120045001705321234567'],
    ['has the code inside an IBAN', 'TR330006188120045001784132'],
    ['has the code inside an IBAN in groups of four', 'TR33 8812 0045 0017 6457 8413 26'],
    ['has the code inside an IBAN in lower case', 'tr33 8812 0045 0017 6457 8413 26'],
    ['has the code directly after an IBAN', 'TR330006100519786457841326881200450017'],
    ['has the groups in the wrong order', '0017 0045 8812'],
    ['has letters inside the code', '881200TL450017'],
    ['has a group with an additional digit', '18812 0045 0017'],
    ['has too many spaces between the groups', '881200      450017'],
  ])('the sandbox does not find the order code in a description that %s', (_, description) => {
    expect(findOrderCodes(description)).not.toContain(CODE);
  });
});

test('the sandbox finds both order codes in a description with two order codes', () => {
  expect(findOrderCodes('881200450017 ve 8812 0045 0025')).toEqual(['881200450017', '881200450025']);
});
