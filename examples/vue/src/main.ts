import {createApp} from 'vue';
import Checkout from './Checkout.vue';

const props: {worker: string; session: string} = await (await fetch('/session')).json();
createApp(Checkout, props).mount('#app');
