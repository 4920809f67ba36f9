-- Run once by the image of PostgreSQL in compose.yaml, when its volume is new: the merchant owns its database and may do
-- nothing else in the cluster. The superuser has no password, so that nobody signs in as it over the network; inside the
-- container: docker compose exec postgres psql --username postgres
\getenv password POSTGRES_PASSWORD
create role merchant login password :'password';
alter database merchant owner to merchant;
alter role postgres password null;
