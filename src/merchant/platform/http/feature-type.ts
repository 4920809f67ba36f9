// What a folder of `core` or `options` adds to the program. `features.ts` lists them all; the program collects its routes,
// jobs, errors and so on from that list, so that nothing in the middle names a feature. Each folder says it in `feature.ts`.

import type { Router } from 'express';
import type { Context, FeatureRows } from '../context';
import type { ErrorDefinition, Errors } from '../errors';
import { platformErrors } from '../platform-errors';
import type { Readiness } from '../readiness';
import type { ApiRoute } from './api-route';
import type { RouteDescription } from './route-description';
import type { Texts, Views } from './views';

export type Feature = FeatureRows & {
  /** Other options whose code it uses: it is removed with them. */
  needs?: readonly string[];
  /** What it adds to the API description and to `/api`, by tag. */
  api?: Readonly<Record<string, ApiGroup>>;
  /** The errors that it throws and no feature below it has. */
  errors?: Errors;
  /** The names in the paths of its routes that no feature below it has. */
  pathParameters?: PathParameters;
  /** Routes for probes and monitoring: a process that runs jobs alone has these, and no others. */
  probes?(server: Server): Router;
  /** Routes for programs, outside `/api`. An error in them is JSON. */
  endpoints?(server: Server): Router;
  /** Pages for people. An error in them is a page. */
  pages?(server: Server): Router;
  /** What its pages say. Under `errors`, by code: what the page of an error says. */
  texts?: Texts<{ errors?: ErrorTexts; [part: string]: unknown }>;
};

/** `next` says what to do. */
export type ErrorTexts = Readonly<Record<string, { title: string; text: string; next: string }>>;

/** Several features may add routes to one tag; one of them describes it. */
export type ApiGroup = {
  description?: string;
  routes?: readonly ApiRoute[];
  /** Those of `endpoints`. */
  endpoints?: readonly RouteDescription[];
};

/**
 * What each name in a path stands for. The examples of all features tell one story: member-7 buys order-1002 and with it stores
 * a card, which then pays for order-1001 and for what is scheduled.
 */
export type PathParameters = Readonly<Record<string, { description: string; example: string }>>;

/** What routes are made from. */
export type Server = {
  context: Context;
  readiness: Readiness;
  views: Views;
  api: ApiDescription;
};

/** A route under its tag. */
export type TaggedRoute<Route extends RouteDescription = RouteDescription> = Route & { tag: string };

/** Everything that programs may call. */
export type ApiDescription = {
  /** In the order in which they are shown. */
  tags: readonly { name: string; description: string }[];
  routes: readonly TaggedRoute[];
  /** Those below `/api`. */
  handled: readonly TaggedRoute<ApiRoute>[];
  /** Those that they answer, by status, and that of a path without a route. */
  errors: readonly ErrorDefinition[];
  pathParameters: PathParameters;
};

/** The API of all features, each tag in the place where it is first named. */
export function describeApi(features: readonly Pick<Feature, 'api' | 'pathParameters'>[]): ApiDescription {
  const groups = features.flatMap(({ api = {} }) =>
    Object.entries(api).map(([tag, group]) => ({ tag, ...group })),
  );
  const names = [...new Set(groups.map(({ tag }) => tag))];
  const ordered = names.flatMap((name) => groups.filter(({ tag }) => tag === name));
  const routes = ordered.flatMap(({ tag, routes: own = [], endpoints = [] }) =>
    [...own, ...endpoints].map((route) => ({ ...route, tag })),
  );
  const errors = new Set([platformErrors.not_found, ...routes.flatMap((route) => route.errors)]);
  return {
    tags: names.map((name) => ({
      name,
      description: ordered.find(({ tag, description }) => tag === name && description)?.description ?? '',
    })),
    routes,
    handled: ordered.flatMap(({ tag, routes: own = [] }) => own.map((route) => ({ ...route, tag }))),
    errors: [...errors].sort((one, other) => one.status - other.status),
    pathParameters: Object.fromEntries(
      features.flatMap(({ pathParameters = {} }) => Object.entries(pathParameters)),
    ),
  };
}

/** What the pages of all errors say. */
export function collectErrorTexts(
  features: readonly Pick<Feature, 'texts'>[],
): Texts<{ errors: ErrorTexts }> {
  const textsIn = (lang: 'ko' | 'en') => ({
    errors: Object.fromEntries(features.flatMap(({ texts }) => Object.entries(texts?.[lang].errors ?? {}))),
  });
  return { ko: textsIn('ko'), en: textsIn('en') };
}
