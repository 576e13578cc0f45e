/** `import type {} from 'vezne/vue'`: the elements in the templates of Vue 3. */

import type {HTMLAttributes, PublicProps} from 'vue';
import type {VezneAttributes, VezneElementEvents, VezneElements, VezneEvents} from './index.js';

type Pascal<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<Text>;

type Props<Name extends keyof VezneElements> = Omit<HTMLAttributes, keyof VezneAttributes[Name]> & {
  [
    Attribute in keyof VezneAttributes[Name] as Uncapitalize<Pascal<Attribute & string>>
  ]: VezneAttributes[Name][Attribute];
} & {
  [Type in VezneElementEvents[Name] as `on${Pascal<Type>}`]?:
    | ((event: VezneEvents[Type] & {readonly currentTarget: VezneElements[Name]}) => void)
    | undefined;
};

type Components = {[Name in keyof VezneElements]: new () => VezneElements[Name] & {$props: Props<Name> & PublicProps}};

declare module 'vue' {
  interface GlobalComponents extends Components {}
  /** Content of an element says with this attribute where it goes. Vue's own slots use `v-slot`. */
  interface HTMLAttributes {
    slot?: string | undefined;
  }
}
