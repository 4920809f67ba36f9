// Korean texts of /docs and of the introduction in /openapi.json?lang=ko. Descriptions of routes and fields are in English. The
// English file must have the same keys to compile.

export const ko = {
  docs: {
    title: 'API 문서',
    description: '이 서버의 JSON API를 설명하는 페이지예요.',
    lead: '상점의 다른 시스템이 이 서버를 호출할 때 쓰는 API예요. 필드의 설명은 영어로 되어 있어요.',
    sections: '§ 번호는 저장소에 있는 `docs/12-payment-service.md`의 제목이에요.',
    chapters: [
      {
        title: '인증',
        text: '`/api` 아래의 경로를 호출할 때는 `Authorization: Bearer <API_KEY>`를 보내 주세요. 키는 `npm start`가 마지막에 보여 주고, 운영에서는 설정 `API_KEY`의 값이에요. 이 키에는 모든 권한이 있고, 따로 만든 키에는 그 경로의 권한이 필요해요. 아래 예시는 그 값이 셸 변수 `API_KEY`에 있다고 보고 썼어요.',
      },
      {
        title: '페이지 넘기기',
        text: '저장된 것의 목록은 `after`와 `limit`로 넘겨요. 응답의 `next`를 다음 요청의 `after`에 넣고, `next`가 null이면 마지막 페이지예요. 결제 서비스에 그대로 물어보는 경로(§4.5–§4.8)만 페이지 번호를 쓰고, 그 경로의 설명에 적혀 있어요.',
      },
      {
        title: '시각',
        text: '시각은 `2026-11-21T09:00:00+09:00`처럼 시간대가 붙은 ISO 8601이에요. 주소에서는 `+`를 `%2B`로 써 주세요. 그대로 보내도 처리해요. 결제 서비스의 값을 그대로 전하는 필드만 UNIX 초이고, 그 필드의 설명에 적혀 있어요.',
      },
      {
        title: '금액',
        text: '금액은 §2.4의 단위로 쓴 정수이고, 통화는 함께 있는 `currency`에 적혀 있어요.',
      },
      {
        title: '오류',
        text: '오류는 모두 형식이 같아요. `code`는 프로그램이 읽는 값이라 바뀌지 않고, `message`는 사람이 읽는 글이에요. 고쳐야 할 필드가 있으면 `param`에 이름이 있고, `doc_url`은 이 페이지의 그 코드로 이어져요. 503에는 `Retry-After`가 있어요. 본문에 모르는 필드가 있으면 이름을 알려 주고 거절해요.',
      },
      {
        title: '예시',
        text: '예시는 서로 이어져 있어서 샌드박스에서 그대로 따라 할 수 있어요. `POST /api/orders`로 주문을 등록하고 `POST /api/onetime`으로 카드를 저장하면, 그 카드로 주문을 결제하고 예약하고 취소할 수 있어요. 경로에 `svc_uid`가 있으면 받은 결제의 값을 넣어 주세요.',
      },
    ],
    typesTitle: '클라이언트',
    typesText:
      '아래 명령은 TypeScript 클라이언트가 쓸 모든 경로의 타입을 만들어요. `npm run tool -- bruno`는 같은 요청을 모은 Bruno 컬렉션을 만들어요. 쓰는 방법은 `docs/03-guides/9-testing.md`에 있어요.',
    open: '키 없이 호출할 수 있어요',
    scope: '키의 권한:',
    noScript:
      '문서를 보여 주는 화면에는 JavaScript가 필요해요. 같은 내용이 openapi.json에 있고, 오류 코드는 아래에 있어요.',
    download: 'openapi.json 내려받기',
    errorTable: '오류 코드',
    errorTableText: '코드마다 무엇을 하면 되는지 적어 두었어요.',
  },
};
