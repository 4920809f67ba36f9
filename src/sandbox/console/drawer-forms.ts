// The forms of the drawer: every setting and every fault, with the names of the controls.

import { FAULT_KINDS, type Faults } from '../http/faults';
import type { Locale } from '../locales/ko';
import { settingsSchema, type SettingValues } from '../notifications/settings';
import type { Field } from './do-forms';

type FieldName = keyof Locale['console']['fields'];

/** In the order of the schema. */
export function settingFields(values: SettingValues, { console: t }: Locale): Field[] {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const value = values[name as keyof SettingValues];
    const field = { name, label: t.fields[name as FieldName], value: String(value ?? '') };
    if (schema.type === 'boolean') return { ...field, kind: 'check', value: value === true ? 'on' : '' };
    const options =
      name === 'legacy_sends' ? ['1', '2', '3', '4', '5'] : 'options' in schema ? schema.options : null;
    if (!options) return { ...field, kind: 'text' };
    return { ...field, kind: 'select', options: options.map((each) => [each, each] as const) };
  });
}

export function faultFields({ endpoints }: Faults, { console: t }: Locale): Field[] {
  const field = (name: FieldName, value = '', kind: Field['kind'] = 'text'): Field => ({
    name,
    label: t.fields[name],
    value,
    kind,
  });
  const select = (name: FieldName, values: readonly string[]): Field => ({
    ...field(name, values[0] ?? '', 'select'),
    options: values.map((each) => [each, each] as const),
  });
  return [
    select('endpoint', endpoints),
    select('kind', FAULT_KINDS),
    field('times', '1', 'number'),
    field('status', '', 'number'),
    field('delay_ms', '', 'number'),
    field('bytes', '', 'number'),
    field('body', '', 'lines'),
    field('headers', '', 'lines'),
  ];
}

export function randomFaultFields({ console: t }: Locale): Field[] {
  return [
    { name: 'seed', label: t.fields.seed, value: '1', kind: 'number' },
    { name: 'count', label: t.fields.count, value: '10', kind: 'number' },
  ];
}
