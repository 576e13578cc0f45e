import '@angular/compiler';
import {
  CUSTOM_ELEMENTS_SCHEMA,
  Component,
  createComponent,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core';
import {createApplication} from '@angular/platform-browser';
import {fieldOf} from '../widgets/support/attribute-table.ts';
import {ELEMENTS, report, tryFramework} from './table.js';

/** The components by the tags of their elements. */
const components = new Map(
  ELEMENTS.map((row) => {
    const bindings = row.attributes.map((attribute) => `[${fieldOf(attribute)}]="values()['${attribute.name}']"`);
    const listeners = row.events.map(({name}) => `(${name})="onEvent($event)"`);
    class Page {
      values = signal({});
      onEvent = () => {};
    }
    const template = `<${row.tagName} ${[...bindings, ...listeners].join(' ')}></${row.tagName}>`;
    Component({selector: 'test-page', template, schemas: [CUSTOM_ELEMENTS_SCHEMA]})(Page);
    return [row.tagName, Page];
  }),
);

report(async () => {
  const app = await createApplication({providers: [provideZonelessChangeDetection()]});
  return tryFramework((hostElement, {tagName}, first, onEvent) => {
    const page = createComponent(components.get(tagName), {environmentInjector: app.injector, hostElement});
    const set = (values) => {
      page.instance.values.set(values);
      page.changeDetectorRef.detectChanges();
    };
    page.instance.onEvent = onEvent;
    set(first);
    return {set, unmount: () => page.destroy()};
  });
});
