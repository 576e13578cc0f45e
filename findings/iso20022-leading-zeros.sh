#!/usr/bin/env bash
# iso20022.js 0.0.15, a bank statement in camt.053 whose payments have order codes of digits as remittance information, which
# ISO 20022 defines as text. The library's types say `remittanceInformation?: string`, as for the bank's reference.
# Expected: the code, as text. Seen: a number without its leading zeros, 42 for both 00042 and 042, so an order is not found,
# or a wrong one is. A code with a letter stays text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund iso20022.js@0.0.15

cat >read.mjs <<'END'
import {CashManagementEndOfDayReport} from 'iso20022.js';
const entry = (code) => `
  <Ntry><Amt Ccy="TRY">250.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-02</Dt></BookgDt>
    <BkTxCd><Prtry><Cd>TRF</Cd></Prtry></BkTxCd>
    <NtryDtls><TxDtls><Refs><AcctSvcrRef>${code}</AcctSvcrRef></Refs><RmtInf><Ustrd>${code}</Ustrd></RmtInf></TxDtls></NtryDtls>
  </Ntry>`;
const codes = ['00042', '042', 'A00042'];
const report = CashManagementEndOfDayReport.fromXML(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-03T01:00:00+03:00</CreDtTm></GrpHdr>
  <Stmt><Id>S1</Id><CreDtTm>2026-01-03T01:00:00+03:00</CreDtTm>
  <Acct><Id><IBAN>TR330006100519786457841326</IBAN></Id><Svcr><FinInstnId><BIC>TCZBTR2A</BIC></FinInstnId></Svcr></Acct>
  <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="TRY">1000.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
    <Dt><Dt>2026-01-02</Dt></Dt></Bal>${codes.map(entry).join('')}
  </Stmt></BkToCstmrStmt></Document>`);
report.transactions.forEach(({remittanceInformation: code, accountServicerReferenceId: reference}, index) =>
  console.log(`${codes[index]}: ${typeof code} ${code}, reference ${typeof reference} ${reference}`));
END
echo "iso20022.js $(node -p "JSON.parse(require('fs').readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version")"
node read.mjs | tee seen.txt
[[ $(cat seen.txt) == $'00042: number 42, reference number 42\n042: number 42, reference number 42\nA00042: string A00042, reference string A00042' ]]
