#!/usr/bin/env bash
# iso20022.js 0.0.15, the amounts of a bank statement in camt.053. The library gives them in the currency's smallest unit.
# Expected: whole numbers, 1999 for 19.99 lira, as Dinero, which the library uses, demands of an amount. Seen: for 326 of
# 3,000 amounts with two decimal places, a fraction, such as 1998.9999999999998. Compared with what an order costs, such a
# payment is too small or too large, and `Math.trunc` takes off a kuruş. In the other direction, the payment order that the
# library writes for 1999 has 19.99.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund iso20022.js@0.0.15

cat >read.mjs <<'END'
import {CashManagementEndOfDayReport} from 'iso20022.js';
const entry = (amount) => `
  <Ntry><Amt Ccy="TRY">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt>
    <BkTxCd><Prtry><Cd>TRF</Cd></Prtry></BkTxCd></Ntry>`;
const read = (amounts) => CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-03T01:00:00+03:00</CreDtTm></GrpHdr>
  <Stmt><Id>S1</Id><CreDtTm>2026-01-03T01:00:00+03:00</CreDtTm>
  <Acct><Id><IBAN>TR330006100519786457841326</IBAN></Id><Svcr><FinInstnId><BIC>TCZBTR2A</BIC></FinInstnId></Svcr></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="TRY">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Dt><Dt>2026-01-02</Dt></Dt></Bal>${amounts.map(entry).join('')}
  </Stmt></BkToCstmrStmt></Document>`).entries.map(({amount}) => amount);
const few = ['250.00', '19.99', '17.40', '1234567.89'];
read(few).forEach((amount, index) => console.log(`${few[index]}: ${amount}`));
const many = Array.from({length: 3000}, (_, index) => (((index + 1) * 37) % 200000 + 1) / 100);
const seen = read(many.map((amount) => amount.toFixed(2)));
console.log(`fractions: ${seen.filter((amount) => !Number.isInteger(amount)).length} of ${seen.length}`);
END
echo "iso20022.js $(node -p "JSON.parse(require('fs').readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version")"
node read.mjs | tee seen.txt
[[ $(cat seen.txt) == $'250.00: 25000\n19.99: 1998.9999999999998\n17.40: 1739.9999999999998\n1234567.89: 123456788.99999999\nfractions: 326 of 3000' ]]
