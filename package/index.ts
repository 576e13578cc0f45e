/** `vezne`: loads the elements into a page, and has the types of elements and events. */
export {type LoadedVezne, type LoadOptions, type LoadReason, loadVezne, VezneLoadError} from './load.ts';
export type * from './generated/elements.ts';
