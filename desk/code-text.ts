import type {TemplateResult} from 'lit';
import {codeGroups, groupedText} from '../widgets/core/code-groups.ts';

/** A code as the shopper sees it: in groups, without spaces in what is selected. */
export const codeText = (code: string): TemplateResult => groupedText(codeGroups(code));
