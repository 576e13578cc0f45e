import {StrictMode} from 'react';
import {createRoot} from 'react-dom/client';
import {Checkout} from './checkout';

const props: {worker: string; session: string} = await (await fetch('/session')).json();
createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <Checkout {...props} />
  </StrictMode>,
);
