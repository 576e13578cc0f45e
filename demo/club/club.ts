import {openSide} from './side.ts';

openSide();
