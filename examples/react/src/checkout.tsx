import {useEffect, useState} from 'react';
import {loadVezne} from 'vezne';
import 'vezne/react';

export function Checkout({worker, session}: {readonly worker: string; readonly session: string}) {
  const [state, setState] = useState<string>('');
  useEffect(() => {
    loadVezne(`${worker}/vezne.js`).catch(() => setState('unavailable'));
  }, [worker]);
  return (
    <>
      <h1>Ahşap masa lambası</h1>
      <link rel="stylesheet" href={`${worker}/vezne.css`} />
      <vezne-checkout session={session} onvezne-payment={({payment}) => setState(payment.state)}>
        <span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span>
        <a slot="paid" hidden href="/new">
          Yeni sipariş ver
        </a>
      </vezne-checkout>
      <p id="state">{state}</p>
    </>
  );
}
