// The guided stories in the console: a list, and a page for each, on which a person runs the steps one by one.

import { Router, type Request } from 'express';
import type { ControlContext } from '../controls/control-context';
import { HttpError } from '../http/answer';
import type { Locale } from '../locales/ko';
import { localeFor, sendPage } from '../pages/send-page';
import { STORIES } from '../stories/stories';
import type { Story } from '../stories/story';
import { finishStory, hasCome, isGood, isOver, startStory, type StoryRun } from '../stories/story-run';
import { textOf } from './press';
import { placesOf } from './scene-of';

const MAX_RUNS = 20;

export function storyPages({ service }: ControlContext): Router {
  const routes = Router({ caseSensitive: true });
  const runs = new Map<string, StoryRun>();
  let last = 0;

  routes.get('/', (request, response) => {
    const t = localeFor(request);
    const stories = STORIES.map((story) => ({ name: story.name, ...t.stories.stories[story.name] }));
    sendPage(request, response, 'console/stories', { stories, place: 'stories' });
  });

  routes.get('/:name', (request, response) => {
    const story = findStory(request);
    const t = localeFor(request);
    const run = runs.get(runId(story, request.query['run'])) ?? null;
    const isLinked = placesOf(request, service).merchant !== null;
    const view = { ...viewRun(story, run, t), run: run && textOf(request.query['run']), isLinked };
    sendPage(request, response, 'console/story', { ...view, place: 'stories' });
  });

  routes.post('/:name', async (request, response) => {
    const story = findStory(request);
    const { run: asked, how } = (request.body ?? {}) as Record<string, unknown>;
    const places = placesOf(request, service);
    if (places.merchant === null) throw new HttpError(409, 'SANDBOX_MERCHANT_API_KEY: not set');
    let id = textOf(asked);
    let run = runs.get(runId(story, asked));
    if (!run || how === 'again') {
      last += 1;
      id = String(last);
      run = startStory(story, places);
      runs.set(runId(story, id), run);
      if (runs.size > MAX_RUNS) runs.delete([...runs.keys()][0] ?? '');
    }
    if (how === 'rest') await finishStory(run);
    else await run.next();
    const query = new URLSearchParams({ lang: localeFor(request).lang, run: id });
    response.redirect(303, `/console/stories/${story.name}?${query.toString()}`);
  });
  return routes;
}

const runId = (story: Story, id: unknown): string => `${story.name} ${textOf(id)}`;

function findStory({ params }: Request): Story {
  const story = STORIES.find(({ name }) => name === params['name']);
  if (!story) throw new HttpError(404, 'story: unknown');
  return story;
}

function viewRun(story: Story, run: StoryRun | null, { stories: t }: Locale) {
  const texts = t.stories[story.name];
  const steps: Record<string, string> = texts.steps;
  const ends: Record<string, string> = texts.ends;
  return {
    name: story.name,
    title: texts.title,
    incident: texts.incident,
    steps: story.steps.map(({ name }, index) => ({
      text: steps[name] ?? name,
      calls: run?.done[index]?.calls ?? null,
      isNext: index === (run?.done.length ?? 0) && !(run && isOver(run)),
    })),
    failure: run?.failure ?? null,
    missing: run?.missing ?? null,
    isOver: run !== null && isOver(run),
    ending:
      run?.ending?.map((each) => ({ ...each, text: ends[each.name] ?? each.name, isSo: hasCome(each) })) ??
      null,
    isGood: run !== null && isGood(run),
  };
}
