// A success of the payment service with this payload, as the readers of records take it.

export const serviceResponse = (payload: unknown) => ({
  payload,
  invalidResponse: (detail: string) => new Error(detail) as never,
});
