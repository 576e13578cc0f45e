// A compiled template calls the same functions for each attribute as `spread`, which needs no compiler.
import {createRoot, createSignal} from 'solid-js';
import {spread, template} from 'solid-js/web';
import {report, tryFramework} from './table.js';

report(() =>
  tryFramework((container, {tagName, attributes, events}, first, onEvent) =>
    createRoot((unmount) => {
      const [values, set] = createSignal(first);
      const element = template(`<${tagName}></${tagName}>`, true)();
      const props = Object.fromEntries(events.map(({name}) => [`on:${name}`, onEvent]));
      for (const {name} of attributes)
        Object.defineProperty(props, name, {enumerable: true, get: () => values()[name]});
      spread(element, props);
      container.append(element);
      return {set, unmount};
    }),
  ),
);
