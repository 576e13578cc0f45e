// What simulated.js imports of the built elements.
import {modules} from 'vezne/custom-elements.json';
import 'vezne/elements';

export {differences, valuesOf} from '../widgets/support/attribute-table.ts';
export const ELEMENTS = modules.flatMap(({declarations}) => declarations.filter(({tagName}) => tagName));
