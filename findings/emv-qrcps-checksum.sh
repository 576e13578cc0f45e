#!/usr/bin/env bash
# emv-qrcps 0.0.7, which writes the text of a payment's QR code (EMV, merchant-presented), for 1,600 amounts. The text ends
# with its checksum, field 63, which the specification defines as four hexadecimal digits.
# Expected: every text ends with 6304 and four digits. Seen: zeros at the start of the checksum are lost, and the length is
# that of what remains, as in 63032FA. So one code in sixteen is wrong, which depends on the amount. emvqr 0.0.5 refuses it,
# and reads the same text with the whole checksum.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund emv-qrcps@0.0.7 emvqr@0.0.5

cat >write.cjs <<'END'
const {Merchant} = require('emv-qrcps');
const {decode} = require('emvqr');
const write = (amount) => {
  const code = Merchant.buildEMVQR();
  code.setPayloadFormatIndicator('01');
  code.setPointOfInitiationMethod('12');
  code.setMerchantCategoryCode('5999');
  code.setTransactionCurrency('949');
  code.setTransactionAmount(amount);
  code.setCountryCode('TR');
  code.setMerchantName('ORNEK');
  code.setMerchantCity('ISTANBUL');
  const account = Merchant.buildMerchantAccountInformation();
  account.setGloballyUniqueIdentifier('TR.EXAMPLE');
  account.addPaymentNetworkSpecific('01', 'TR330006100519786457841326');
  code.addMerchantAccountInformation('26', account);
  return code.generatePayload();
};
const amounts = Array.from({length: 1600}, (_, index) => (100 + index / 10).toFixed(2));
const short = amounts.filter((amount) => !/6304[0-9A-F]{4}$/.test(write(amount)));
console.log(`${short.length} of ${amounts.length} are short, the first ${short[0]}: ${write(short[0]).slice(-9)}`);
const read = (text) => {
  try {
    return decode(text)['54'].data;
  } catch (error) {
    return error.message;
  }
};
console.log(`emvqr: ${read(write(short[0]))}`);
console.log(`emvqr, four digits: ${read(write(short[0]).replace(/6303(...)$/, '63040$1'))}`);
END
for library in emv-qrcps emvqr; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node write.cjs | tee seen.txt
[[ $(cat seen.txt) == $'100 of 1600 are short, the first 103.40: UL6303A5F\nemvqr: checksum validation failed.\nemvqr, four digits: 103.40' ]]
