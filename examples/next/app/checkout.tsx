'use client';

import {useEffect, useRef, useState} from 'react';
import {loadVezne, type VezneCheckout} from 'vezne';
import 'vezne/react';

export function Checkout({worker, session}: {readonly worker: string; readonly session: string}) {
  const checkout = useRef<VezneCheckout>(null);
  const [state, setState] = useState<string>('');
  useEffect(() => {
    // React does not add the event props of an element that the server has rendered.
    const stop = new AbortController();
    checkout.current?.addEventListener('vezne-payment', ({payment}) => setState(payment.state), {signal: stop.signal});
    loadVezne(`${worker}/vezne.js`).catch(() => setState('unavailable'));
    return () => stop.abort();
  }, [worker]);
  return (
    <>
      <h1>Ahşap masa lambası</h1>
      <link rel="stylesheet" href={`${worker}/vezne.css`} />
      <vezne-checkout ref={checkout} session={session}>
        <span>Banka listesi açılmazsa bizi arayın: 0850 000 00 00.</span>
        <a slot="paid" hidden href="/new">
          Yeni sipariş ver
        </a>
      </vezne-checkout>
      <p id="state">{state}</p>
    </>
  );
}
