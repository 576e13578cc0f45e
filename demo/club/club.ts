import {openPhoneAndFunnel} from './phone-and-funnel.ts';

openPhoneAndFunnel();
