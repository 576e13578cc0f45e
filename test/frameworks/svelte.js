// The command compiles a component for each element.
import * as components from 'components.svelte';
import {flushSync, mount, unmount} from 'svelte';
import {report, tryFramework} from './table.js';

report(() =>
  tryFramework((target, {tagName}, first, onEvent) => {
    let set;
    const props = {first, onEvent, onReady: (setValues) => (set = (values) => flushSync(() => setValues(values)))};
    const component = mount(components[tagName.replaceAll('-', '_')], {target, props});
    flushSync();
    return {set, unmount: () => void unmount(component)};
  }),
);
