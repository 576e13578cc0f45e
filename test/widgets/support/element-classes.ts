/** The classes of all elements that render something, also of those that only other elements use. */

import type {CSSResultGroup} from 'lit';
import type {ElementClass} from '../../../widgets/core/define.ts';

type RenderingClass = ElementClass & {readonly styles: CSSResultGroup};

const modules = import.meta.glob<Readonly<Record<string, unknown>>>('../../../widgets/**/vezne-*.ts', {eager: true});

export const ELEMENT_CLASSES: readonly RenderingClass[] = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter((value): value is RenderingClass => typeof value === 'function' && Object.hasOwn(value, 'tag'));
