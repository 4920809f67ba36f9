// Korean texts common to all pages. The English file must have the same keys to compile.

export const ko = {
  lang: 'ko',
  languageName: '한국어',
  layout: {
    service: '결제수단',
    description: '카드를 한 번 등록해 두고 결제할 때 쓰는 페이지예요.',
    skip: '본문으로 건너뛰기',
    language: '언어',
    errorPrefix: '오류: ',
    sandbox: '샌드박스예요. 실제 카드가 등록되거나 돈이 나가지 않아요.',
    footer: '카드 정보는 결제 서비스에 전달할 뿐 여기에 저장하지 않아요.',
    terms: '이용약관',
    privacy: '개인정보 처리방침',
  },
  refresh: {
    after: '이 페이지가 {seconds}초 뒤에 다시 확인해요.',
    stop: '자동 새로고침 끄기',
    again: '지금 다시 확인하기',
  },
  /** Before the request id. */
  copy: { copy: '복사', copied: '복사했어요' },
  reference: '문의하실 때 알려 주실 번호:',
  backToForm: '카드 등록으로',
  backToCards: '내 카드로',
  backToShop: '하던 곳으로 돌아가기',
};

/** Texts of the error pages of any server: what happened, and what to do. */
export const errorsKo = {
  errors: {
    foreign_host: {
      title: '이 주소로는 열 수 없어요',
      text: '이 서버가 쓰는 이름의 주소가 아니에요.',
      next: '안내받은 주소로 다시 열어 주세요.',
    },
    return_url_refused: {
      title: '돌아갈 주소를 쓸 수 없어요',
      text: '링크에 적힌 돌아갈 주소가 허용된 곳이 아니라서 이 요청은 처리하지 않았어요.',
      next: '상점으로 돌아가 다시 시작해 주세요. 같은 일이 생기면 상점에 알려 주세요.',
    },
    cross_site: {
      title: '다른 사이트에서 보낸 요청이에요',
      text: '안전을 위해 이 페이지에서 보낸 요청만 받아요. 아무것도 바꾸지 않았어요.',
      next: '양식을 새로 열어 다시 시도해 주세요.',
    },
    method_not_allowed: {
      title: '이 방법으로는 열 수 없어요',
      text: '이 주소는 이런 요청을 받지 않아요. 아무것도 바꾸지 않았어요.',
      next: '내 카드에서 다시 시작해 주세요.',
    },
    secret_in_query: {
      title: '카드 정보를 주소에 담을 수 없어요',
      text: '주소는 여러 곳에 남아서, 거기 담긴 카드 정보는 읽지 않았어요.',
      next: '양식을 새로 열어 카드 정보를 입력해 주세요.',
    },
    precondition_failed: {
      title: '파일이 바뀌었어요',
      text: '요청한 것과 다른 버전의 파일이에요.',
      next: '페이지를 새로고침해 주세요.',
    },
    parameters_too_many: {
      title: '입력 항목이 너무 많아요',
      text: '이 양식에 있는 것보다 항목이 많아요. 아무것도 읽지 않았어요.',
      next: '양식을 새로 열어 다시 입력해 주세요.',
    },
    unsupported_type: {
      title: '읽을 수 없는 형식이에요',
      text: '브라우저의 양식이 쓰는 형식이 아니에요. 아무것도 읽지 않았어요.',
      next: '양식을 새로 열어 거기서 보내 주세요.',
    },
    not_found: {
      title: '찾을 수 없는 페이지예요',
      text: '주소가 바르지 않거나 없어진 페이지예요.',
      next: '주소를 확인하거나 내 카드에서 다시 시작해 주세요.',
    },
    malformed_path: {
      title: '주소를 읽을 수 없어요',
      text: '주소에 읽을 수 없는 글자가 있어요.',
      next: '주소를 확인하거나 내 카드에서 다시 시작해 주세요.',
    },
    invalid_json: {
      title: '보낸 내용을 읽을 수 없어요',
      text: '내용이 깨져 있어서 아무것도 처리하지 않았어요.',
      next: '양식을 새로 열어 다시 보내 주세요.',
    },
    entity_too_large: {
      title: '보낸 내용이 너무 커요',
      text: '이 양식에 들어갈 수 있는 것보다 커서 읽지 않았어요.',
      next: '양식을 새로 열어 다시 입력해 주세요.',
    },
    encoding_unsupported: {
      title: '압축된 내용은 받지 않아요',
      text: '압축을 풀지 않아서 아무것도 읽지 않았어요.',
      next: '양식을 새로 열어 거기서 보내 주세요.',
    },
    charset_unsupported: {
      title: '읽을 수 없는 문자 인코딩이에요',
      text: 'UTF-8이 아니어서 아무것도 읽지 않았어요.',
      next: '양식을 새로 열어 거기서 보내 주세요.',
    },
    request_aborted: {
      title: '보내는 중에 연결이 끊겼어요',
      text: '내용이 다 오기 전에 끊겨서 아무것도 처리하지 않았어요.',
      next: '연결을 확인하고 양식을 새로 열어 다시 보내 주세요.',
    },
    request_size_invalid: {
      title: '보낸 내용의 길이가 맞지 않아요',
      text: '요청에 적힌 길이와 실제 길이가 달라서 아무것도 처리하지 않았어요.',
      next: '양식을 새로 열어 다시 보내 주세요.',
    },
    internal_error: {
      title: '문제가 생겼어요',
      text: '저희 쪽 문제라서 바로 살펴볼게요.',
      next: '내 카드에서 지금 상태를 확인하고, 잠시 뒤 다시 시도해 주세요.',
    },
    service_unavailable: {
      title: '지금은 결제 서비스를 이용할 수 없어요',
      text: '결제 서비스에서 필요한 응답을 받지 못했어요.',
      next: '내 카드에서 지금 상태를 확인하고, 잠시 뒤 다시 시도해 주세요.',
    },
    database_unavailable: {
      title: '지금은 이용할 수 없어요',
      text: '저희 쪽 오류예요.',
      next: '잠시 뒤 다시 시도해 주세요.',
    },
    value_refused: {
      title: '저장할 수 없어요',
      text: '이 요청의 값을 저장하지 못했어요. 다시 시도해도 결과가 같아요.',
      next: '내 카드에서 지금 상태를 확인하고 저희에게 알려 주세요.',
    },
  },
};
