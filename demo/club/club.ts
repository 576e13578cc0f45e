import {openSide} from './phone-and-funnel.ts';

openSide();
