// What a folder of `core` or `options` adds to the program, declared in its `feature.ts`. `features.ts` lists all
// features; the program collects routes, jobs, errors and so on from that list, so no shared code names a feature.

import type { Router } from 'express';
import type { Context, FeatureRows } from '../context';
import type { ErrorDefinition, Errors } from '../errors';
import { platformErrors } from '../platform-errors';
import type { Readiness } from '../readiness';
import type { ApiRoute } from './api-route';
import type { RouteDescription } from './route-description';
import type { CardEntry, PageHeader, PageNotice, Texts, Views } from './views';

export type Feature = FeatureRows & {
  /** Other options whose code it uses. It is removed together with them. */
  needs?: readonly string[];
  /** Its part of the API description and of `/api`, by tag. */
  api?: Readonly<Record<string, ApiGroup>>;
  /** The errors that it throws, except those that a feature below it defines. */
  errors?: Errors;
  /** The names in its route paths, except those that a feature below it defines. */
  pathParameters?: PathParameters;
  /** Routes for probes and monitoring. A process that only runs jobs serves no others. */
  probes?(server: Server): Router;
  /** Routes for programs, outside `/api`. Errors are JSON. */
  endpoints?(server: Server): Router;
  /** Pages for people. Errors are pages. */
  pages?(server: Server): Router;
  /**
   * Its pages for typing a card number. With them, the whole of PCI DSS applies to this server (SAQ D).
   */
  cardEntry?: CardEntry;
  /** The header of a member's pages, in place of the shop's name alone. */
  header?: PageHeader;
  /** Shown above the header of every page. */
  notice?: PageNotice;
  /** The texts of its pages. `errors` has the texts of error pages, by code. */
  texts?: Texts<{ errors?: ErrorTexts; [part: string]: unknown }>;
};

/** `next` says what to do. */
export type ErrorTexts = Readonly<Record<string, { title: string; text: string; next: string }>>;

/** Several features may add routes to one tag; one of them describes the tag. */
export type ApiGroup = {
  description?: string;
  routes?: readonly ApiRoute[];
  /** Descriptions of the routes of `endpoints`. */
  endpoints?: readonly RouteDescription[];
};

/**
 * The meaning of each name in a path. The examples of all features tell one story: member-7 buys order-1002 and stores
 * a card with it, which then pays for order-1001 and for scheduled charges.
 */
export type PathParameters = Readonly<Record<string, { description: string; example: string }>>;

/** What feature routes are built from. */
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
  /** The routes below `/api`. */
  handled: readonly TaggedRoute<ApiRoute>[];
  /** Their errors by status, and the error for a path without a route. */
  errors: readonly ErrorDefinition[];
  pathParameters: PathParameters;
};

/** The API of all features. Tags are in the order of their first use. */
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

/** The texts of all error pages. */
export function collectErrorTexts(
  features: readonly Pick<Feature, 'texts'>[],
): Texts<{ errors: ErrorTexts }> {
  const textsIn = (lang: 'ko' | 'en') => ({
    errors: Object.fromEntries(features.flatMap(({ texts }) => Object.entries(texts?.[lang].errors ?? {}))),
  });
  return { ko: textsIn('ko'), en: textsIn('en') };
}
