/** `import type {} from 'vezne/react'`: the elements in JSX, with React 18 and 19. Events need React 19. */

import type {ClassAttributes, HTMLAttributes} from 'react';
import type {VezneAttributes, VezneElementEvents, VezneElements, VezneEvents} from './index.js';

type Props<Name extends keyof VezneElements> = ClassAttributes<VezneElements[Name]> &
  Omit<HTMLAttributes<VezneElements[Name]>, keyof VezneAttributes[Name]> &
  VezneAttributes[Name] & {class?: string | undefined} & {
    [Type in VezneElementEvents[Name] as `on${Type}`]?:
      | ((event: VezneEvents[Type] & {readonly currentTarget: VezneElements[Name]}) => void)
      | undefined;
  };

type Elements = {[Name in keyof VezneElements]: Props<Name>};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Elements {}
  }
}
