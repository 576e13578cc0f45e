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
      <vezne-checkout session={session} onvezne-payment={({payment}) => setState(payment.state)} />
      <p id="state">{state}</p>
    </>
  );
}
