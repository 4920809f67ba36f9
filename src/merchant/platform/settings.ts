// What a feature says about its settings in its `settings.ts`, and the forms of their values. `../settings.ts` reads those of
// all features.

import { z } from 'zod';
import { isTooWide, parseAddressList } from './address-list';
import { splitValues } from './secrets';
import { isPlainHttpUrl } from './setting-urls';

/** By name. A blank value counts as not set, and is left out. */
export type Given = Readonly<Record<string, string | undefined>>;

export type FeatureSettings<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Constants extends object = object,
> = {
  /**
   * The rule of each value, by name. A setting that holds a secret has a name of the form `isSecretName`, and can be given as
   * a file. `describe` says what a required one is, for `npm run secrets`.
   */
  shape: Shape;
  /** Secrets that we make. Outside production, missing ones are generated. Each may have several values. */
  ownSecrets?: readonly string[];
  /** Secrets that the payment service makes. */
  serviceSecrets?: readonly string[];
  /** The values outside production of settings that are not given: those of the sandbox. */
  sandboxValues?: Readonly<Record<string, string>>;
  /**
   * Values that the environment does not set. A shop may change them here, and tests give others.
   * @param sandboxMode whether the sandbox is the payment service
   */
  constants?(sandboxMode: boolean): Constants;
  /** The rules between settings, and what must not go live. "NAME: problem; fix" for each. */
  problems?(given: Given, production: boolean): string[];
};

export const defineSettings = <Shape extends z.ZodRawShape, Constants extends object = object>(
  settings: FeatureSettings<Shape, Constants>,
) => settings;

/** The values of a feature's settings, and its constants. `loadConfig` has parsed the values by the same rules. */
export function settingsOf<Shape extends z.ZodRawShape, Constants extends object>(
  { values }: { values: Readonly<Record<string, unknown>> },
  _settings: FeatureSettings<Shape, Constants>,
): Values<Shape> & Constants {
  return values as Values<Shape> & Constants;
}
type Values<Shape extends z.ZodRawShape> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

/** A secret, also as a part of a URL. */
export const isSecretName = (name: string): boolean =>
  /^(DATABASE_\w*|NOTICE_)URL$|(KEY|SECRET|PASSWORD)$/.test(name);

/** Values separated by commas. */
const listed = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''));
export const list = listed.default([]);

/** IP addresses and CIDR ranges. A hop count or "true" would let anybody choose the sender's address. */
export const addresses = listed.superRefine((entries, context) => {
  const invalid = parseAddressList(entries).invalid.map((entry) => `"${entry}"`);
  const everyone = entries.filter(isTooWide);
  if (entries.length === 0) context.addIssue('is an empty list; name addresses or leave it out');
  if (invalid.length > 0)
    context.addIssue(
      `${invalid.join(', ')} is not an IP address or CIDR range; hop counts and "true" can be spoofed and are refused; name each address`,
    );
  if (everyone.length > 0)
    context.addIssue(`${everyone.join(', ')} allows everybody, or nearly so; name the real addresses`);
});

export const required = z.string('is missing').min(1, 'is missing');

export const httpUrl = required.refine(
  isPlainHttpUrl,
  'must be an http(s) URL without credentials, query or fragment',
);

export const onOrOff = z
  .stringbool({ truthy: ['on', 'true'], falsy: ['off', 'false'], error: 'must be "on" or "off"' })
  .default(false);

/** Anyone can sign with an empty secret. */
export const secrets = required
  .transform(splitValues)
  .refine((values) => !values.includes(''), { error: 'has an empty entry', abort: true });

/** In the format of Standard Webhooks: `openssl rand -base64 32` with the prefix. */
const STANDARD_WEBHOOKS_SECRET =
  /^whsec_(?=[A-Za-z0-9+/]{32,86}={0,2}$)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const standardWebhooksSecrets = secrets.refine(
  (values) => values.every((value) => STANDARD_WEBHOOKS_SECRET.test(value)),
  'must be "whsec_" and 24 to 64 bytes as base64',
);
