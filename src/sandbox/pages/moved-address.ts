// The warning on every page of the console while notifications do not go to the shop with which the sandbox was started.

import type { Locale } from '../locales/ko';
import type { Service } from '../service';

/** Null if they go there, or if the sandbox was started alone. */
export function movedAddress(
  { config, settings }: Pick<Service, 'config' | 'settings'>,
  { address: t }: Locale,
): string | null {
  const { webhookUrl: usual } = config;
  const now = settings.get().webhook_url;
  if (usual === undefined || now === usual) return null;
  return now === null ? t.off(usual) : t.moved(now, usual);
}
